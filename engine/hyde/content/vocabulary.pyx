"""The numbers of Hyde, for Python: vocabulary.pxd has them."""
