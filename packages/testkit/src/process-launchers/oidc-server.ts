import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { Provider } from 'oidc-provider'
import type { OidcFacts } from './oidc.launcher.ts'

/** A real OpenID Connect provider: takes any name with any password, and knows what the test says of each person. */
const [port = '', certificate = '', key = '', facts = ''] = process.argv.slice(2)
const { clients, people } = JSON.parse(facts) as OidcFacts

const provider = new Provider(`https://localhost:${port}`, {
  clients,
  claims: { openid: ['sub'], profile: ['preferred_username', 'name', 'groups'], email: ['email', 'email_verified'] },
  features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
  cookies: { keys: ['test'] },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  // Nobody is asked for consent: that is between the person and the provider.
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
    grant.addOIDCScope('openid profile email')
    await grant.save()
    return grant
  },
})
const listener = provider.callback()
createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, listener).listen(Number(port), () =>
  process.stdout.write('ready\n'),
)
