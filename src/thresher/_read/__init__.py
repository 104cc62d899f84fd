"""Files, streams and tables that live elsewhere, to count tables in bounded memory."""
