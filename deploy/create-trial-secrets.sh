#!/bin/sh
# Creates deploy/secrets/ for a trial of compose.yaml on one machine: new passwords, and certificates of an authority of its own.
# In production a certificate of your authority takes the place of proxy.pem, and a store of secrets that of the files.
set -eu
umask 077
cd "$(dirname "$0")"
: "${IDENTITY_HOST:?the host name of the identity provider}" "${GATEWAY_HOST:?the host name of the gateway}"
if [ -e secrets ]; then
    echo "deploy/secrets exists already" >&2
    exit 1
fi
mkdir secrets
cd secrets

owner=$(openssl rand -hex 24)
application=$(openssl rand -hex 24)
cat > postgres.env <<ENV
POSTGRES_PASSWORD=$(openssl rand -hex 24)
OWNER_PASSWORD=$owner
APPLICATION_PASSWORD=$application
REPLICATION_PASSWORD=$(openssl rand -hex 24)
ENV
echo "INVOICING_DATABASE=postgres://owner:$owner@postgres-primary,postgres-standby/invoicing" > owner.env
echo "INVOICING_DATABASE=postgres://application:$application@postgres-primary,postgres-standby/invoicing" > application.env
# What the service encrypts signing keys and stored credentials with, one key in each line.
openssl rand -base64 32 > encryption.keys

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj "/CN=Invoice Desk trial authority" \
    -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign" -keyout ca.key -out ca.crt 2> /dev/null
# certify NAME ALTERNATIVE_NAMES
certify() {
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" -keyout "$1.key" -out "$1.csr" 2> /dev/null
    printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$2" > "$1.ext"
    openssl x509 -req -in "$1.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -extfile "$1.ext" -out "$1.crt" 2> /dev/null
    rm "$1.csr" "$1.ext"
}
certify postgres "DNS:postgres-primary,DNS:postgres-standby"
certify proxy "DNS:$IDENTITY_HOST,DNS:$GATEWAY_HOST"
cat proxy.crt proxy.key > proxy.pem
rm proxy.crt proxy.key
# The users of the images: 999 is PostgreSQL's, 99 HAProxy's, 65532 the service's, and everybody may read the authority's certificate.
chmod 0755 .
chmod 0644 ca.crt postgres.crt
if [ "$(id -u)" = 0 ]; then
    chown 999 postgres.key
    chown 99 proxy.pem
    chown 65532 encryption.keys
else
    echo "as root: chown 999 deploy/secrets/postgres.key; chown 99 deploy/secrets/proxy.pem; chown 65532 deploy/secrets/encryption.keys"
fi
