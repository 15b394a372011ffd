"""The command line: one module per command, and what they share.

`main` puts the commands together and turns every error into one sentence and an exit code:
0 success · 1 something failed · 2 the command line itself was wrong · 130 interrupted (Ctrl-C) · 143 ended by SIGTERM.
Results go to stdout; progress and errors go to stderr.
"""
