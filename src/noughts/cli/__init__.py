"""The command line. It reads, asks the library and prints; it holds no rules of its own.

`main` is the way in; each command has a module of its own, imported when it is called.
"""
