// Debian's Postgres, as an operator of the service finds it: with TLS by a private CA, and an administrator who is no superuser.
import { writeFileSync } from 'node:fs';
import { SERVICE } from './document.mjs';
import { sh, superuser, VERSION } from './shell.mjs';

const TLS = '/etc/postgresql-tls';

/** Issues a certificate of the private CA. */
export const issue = (host, certificate, key) =>
  sh(`
openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${key} -out ${TLS}/request -subj /CN=${host}
openssl x509 -req -in ${TLS}/request -CA ${TLS}/ca.crt -CAkey ${TLS}/ca.key -CAcreateserial -days 2 -out ${certificate} \
  -extfile <(echo subjectAltName=DNS:${host})`);

export function preparePostgres() {
  sh(`
rm --recursive --force /etc/postgresql/* /var/lib/postgresql/*
mkdir --parents ${TLS} /etc/${SERVICE}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout ${TLS}/ca.key -out ${TLS}/ca.crt -subj /CN=CA
cp ${TLS}/ca.crt /etc/${SERVICE}/ca.crt
pg_createcluster --locale C.UTF-8 ${VERSION} main`);
  issue('localhost', `${TLS}/server.crt`, `${TLS}/server.key`);
  sh(`chown --recursive postgres ${TLS}; chmod 600 ${TLS}/server.key`);
  writeFileSync(
    `/etc/postgresql/${VERSION}/main/conf.d/tls.conf`,
    `ssl = on\nssl_cert_file = '${TLS}/server.crt'\nssl_key_file = '${TLS}/server.key'\n`,
  );
  sh(`systemctl start postgresql@${VERSION}-main`);
  superuser("create role admin login createrole createdb password 'secret'", 'postgres');
  superuser(`create database ${SERVICE} owner admin encoding UTF8 template template0`, 'postgres');
}

/** Replaces the certificate of Postgres by one of another CA, until the function that this returns is called. */
export function breakCertificate() {
  const reload = `systemctl reload postgresql@${VERSION}-main`;
  sh(`
cp --archive ${TLS}/server.crt ${TLS}/good.crt
cp --archive ${TLS}/server.key ${TLS}/good.key
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout ${TLS}/server.key -out ${TLS}/server.crt -subj /CN=no
${reload}`);
  return () =>
    sh(`cp --archive ${TLS}/good.crt ${TLS}/server.crt; cp --archive ${TLS}/good.key ${TLS}/server.key; ${reload}`);
}
