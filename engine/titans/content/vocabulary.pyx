"""The numbers of the words, for Python: vocabulary.pxd has them."""
