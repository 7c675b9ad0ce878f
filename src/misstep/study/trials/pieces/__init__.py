"""What trials of several families are made of: screens, stages, times, pictures, an n-back."""
