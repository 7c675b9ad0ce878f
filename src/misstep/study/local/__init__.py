"""What pages for one person at this machine share."""
