"""The command line: it reads, calls the library and prints.

::

    main        finds the command, and turns every ending into an exit code
    check  replay  show  perft  count  games  solve  analyse  verify  table
    play  puzzle  match  engine  serve  trace  grade
                a module for every command, imported when it is called
    playing/    the course of a game in the terminal
    reading     input: arguments, files or stdin
    output      JSON lines, errors, exit codes, drawings for the terminal
    progress    one line about a long computation
    units       sizes, times, shares and bars
"""
