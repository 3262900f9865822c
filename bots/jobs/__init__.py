"""Claims and leases, worker processes, smoke matches. See README.md of the app."""
