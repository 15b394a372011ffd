"""The numbers of compiled effects, for Python: machine.pxd has them."""
