"""What results tell, in blocks and words, and how text and notebooks show them."""
