"""Protocol v1: the messages between a table and a bot, as pure functions over bytes."""
