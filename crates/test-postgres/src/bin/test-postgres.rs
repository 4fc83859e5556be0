//! Stops the server that the tests of this user share, unless another program is connected to it.

use invoicing_test_postgres::Server;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    Server::stop_shared_unless_used().await;
}
