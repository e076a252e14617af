// An authorization server for client credentials: oidc-provider with clients
// for both ways of proving oneself. node op.mjs PORT; prints READY.
import { Provider } from 'oidc-provider';

const port = Number(process.argv[2]);
// Each character that an encoding could get wrong.
const secret = 's3cr:et/+ &%';
const client = (client_id, token_endpoint_auth_method, client_secret = secret) => ({
  client_id,
  client_secret,
  token_endpoint_auth_method,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
});

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    client('basic', 'client_secret_basic'),
    client('post', 'client_secret_post'),
    client('long', 'client_secret_post'),
    client('gateway', 'client_secret_basic', 'gateway-secret'),
  ],
  scopes: ['embed'],
  features: {
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    devInteractions: { enabled: false },
  },
  ttl: {
    ClientCredentials: (_ctx, _token, { clientId }) => (clientId === 'long' ? 600 : 5),
  },
});
provider.listen(port, '127.0.0.1', () => console.log('READY'));
