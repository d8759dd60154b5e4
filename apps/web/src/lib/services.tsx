import type { Clock } from '@godwit/base'
import { createContext, use } from 'react'
import type { Api } from './http.ts'
import type { InstallOffer } from './install.ts'
import type { Messages } from './messages.ts'
import type { SessionStore } from './session.ts'
import type { Store } from './store.ts'
import type { Theme } from './theme.ts'

/** What every screen may use; made once, in the entry. */
export interface Services {
  readonly api: Api
  readonly session: SessionStore
  readonly theme: Store<Theme>
  readonly clock: Clock
  /** Messages for the person; shown on every page, with or without a session. */
  readonly messages: Messages
  readonly install: Store<InstallOffer>
}

const ServicesContext = createContext<Services | undefined>(undefined)

export const ServicesProvider = ServicesContext

export function useServices(): Services {
  const services = use(ServicesContext)
  if (services === undefined) throw new Error('no services around this component')
  return services
}
