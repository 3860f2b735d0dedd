# Where the server listens.
HOST=127.0.0.1
PORT=3000
# The public address of the server. Set it in production: the messages that wallets sign contain it.
# BASE_URL=https://market.example
# The number of proxies in front of the server, or their addresses. Behind a proxy, set it: otherwise all callers
# share the limits of one address.
# TRUST_PROXY=1
# The token of operators. Without it and ADMIN_TOKENS, every start makes another one and prints it.
# ADMIN_TOKEN=
# A token for each operator. The operators' log then says who acted.
# ADMIN_TOKENS=alice:<token>,bob:<token>
