from bastide import _native
