f() -> """
  text
 ".
