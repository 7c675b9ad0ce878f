"""A run in parts: shards put together, and several processes that each ask one."""
