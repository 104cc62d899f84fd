"""Tables that live in an engine and are counted there."""
