### Help with the connection: the check of each step, and the report for support.

help-connection = Connection and support…
help-title = Connection and support
check-title = Check the connection
check-hint = Takes each step to { $environment } and says what it finds. No password and no invoice is sent.
check-start = Check now
check-again = Check again
check-running = Checking…
check-passed = Every step worked.
check-failed = A step failed. What is said there is for whoever looks after your network.
check-server-identityProvider = Sign-in
check-server-gateway = Service
check-duration = { $milliseconds } ms
check-step-passed = worked
check-step-failed = failed
finding-caFile = { $certificates ->
    [one] Your company's certificate file was read: 1 certificate.
   *[other] Your company's certificate file was read: { $certificates } certificates.
}
finding-caFileUnusable = Your company's certificate file cannot be used. Correct its path in the environment, or empty the field.
finding-noProxy = No proxy: requests go to the server directly.
finding-proxy = Requests go through the proxy { $address } of this computer.
finding-proxy-configured = Requests go through the proxy { $address }, as the environment says.
finding-resolved = The name has the addresses { $addresses }.
finding-notResolved = The name was not found. Either it is misspelt in the environment, or this computer has no network or no working DNS.
finding-connected = Connected to { $address }.
finding-notConnected-refused = The computer answers, but nothing listens at this port. The service may be down, or the port wrong.
finding-notConnected-silent = No answer. A firewall probably blocks the way.
finding-notConnected-unreachable = There is no way to this network. Check the cable, the Wi-Fi or the VPN.
finding-notConnected-other = No connection could be made.
finding-proxyNotResolved = The name of the proxy was not found. Correct the proxy, or check whether this computer has a network.
finding-proxyNotConnected-refused = Nothing listens at the address of the proxy. It may be down, or its address wrong. The service itself was not asked.
finding-proxyNotConnected-silent = The proxy does not answer. It may be down, or in another network. The service itself was not asked.
finding-proxyNotConnected-unreachable = There is no way to the network of the proxy. Check the cable, the Wi-Fi or the VPN.
finding-proxyNotConnected-other = No connection to the proxy could be made. The service itself was not asked.
finding-proxyRefused = The proxy refused with status { $status }.
finding-proxyRefused-password = The proxy asks for a password (407), which this application does not send. Ask for an exception for this address.
finding-trusted = The certificate is trusted. Issued by { $issuers }.
finding-notTrusted-unknownIssuer = The certificate is from an authority that this computer does not trust: { $issuers }. If that is your company's, ask for its certificate file and enter it in the environment.
finding-notTrusted-expired = The certificate has expired, or the clock of this computer is ahead. Issued by { $issuers }.
finding-notTrusted-notYetValid = The certificate is not valid yet, or the clock of this computer is behind. Issued by { $issuers }.
finding-notTrusted-wrongName = The certificate is for another server. Another server answered in place of the service, or the address is wrong. Issued by { $issuers }.
finding-notTrusted-noTls = No TLS connection. A proxy or a firewall may have answered in place of the server.
finding-notTrusted-other = The certificate was refused. Issued by { $issuers }.
finding-plain = On this computer, without TLS.
finding-answered = It answers (status { $status }).
finding-notAnswered = It did not answer the request.
finding-discovered = It is the sign-in of this environment.
finding-notDiscovered = What answers is not the sign-in of this environment. On guest Wi-Fi, open a page in the browser first and accept its terms.
finding-clockRight = The clocks agree.
finding-clockWrong = { $minutes ->
    [one] The clock of this computer is wrong by 1 minute.
   *[other] The clock of this computer is wrong by { $minutes } minutes.
} Set it automatically; sign-in does not work before.
packet-title = Report for support
packet-hint = Read it before you give it away. It has versions, states and the end of the log. It has no password, no buyer and no amount. Nothing is sent by itself.
packet-make = Make the report
packet-text = Report
packet-copy = Copy
packet-save = Save as…
packet-saved = Saved
packet-not-saved = Not saved
