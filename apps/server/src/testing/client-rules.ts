import { CLIENT_SETTINGS, type ClientRules } from '../exchange/clients/clients.settings.ts'
import { defaultsOf } from '../kernel/setting.ts'

/** What a fresh installation allows desktop clients. */
export function defaultClientRules(): ClientRules {
  return { ...defaultsOf(CLIENT_SETTINGS), maxClients: null }
}
