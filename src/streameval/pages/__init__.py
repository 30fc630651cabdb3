"""Pages that people read: self-contained HTML, without anything from elsewhere."""
