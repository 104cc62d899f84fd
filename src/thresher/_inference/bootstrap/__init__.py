"""All resampling: of counts, of rows, of groups."""
