import { readFileSync, writeFileSync } from 'node:fs'
import { encodePassword, FULL_PERMISSION } from '@godwit/contract'
import { security } from '@godwit/contract/table/security'
import { signIn } from '@godwit/sdk'

/** `node client-token.ts URL ACCOUNT PASSWORD-FILE TOKEN-FILE`: an API token for the desktop client, from inside a network namespace. */
const [server = '', account = '', passwordFile = '', tokenFile = ''] = process.argv.slice(2)
const password = readFileSync(passwordFile, 'utf8')
const { api } = await signIn({ server, account, password })
const body = { name: 'bench', permission: FULL_PERMISSION, days: 1, password: encodePassword(password) }
const { token } = await api.call(security.createApiToken, { body })
writeFileSync(tokenFile, token, { mode: 0o600 })
