# Where the server listens.
HOST=127.0.0.1
PORT=3000
# The public address of the server. Set it in production: the messages that wallets sign contain it.
# BASE_URL=https://market.example
# The token of operators. Without it, every start makes another one and prints it.
# ADMIN_TOKEN=
