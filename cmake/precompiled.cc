// The target that holds the precompiled headers needs a source.
