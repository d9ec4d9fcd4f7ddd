f() -> """
    first
      second \x
    """,
    """"
""" inside
"""",
    ~"""
    sigil "quotes" \n
    """, ~b"""
 esc \t \x{e9}
 """, ~S"""
raw\
""", "\x{10FFFF}\e\d\0\177\^Z\"\'\
continued", '\'', "", 'α', "日本", $日.
