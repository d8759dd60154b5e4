import { clients } from '@godwit/contract/table/clients'
import { connect } from '@godwit/sdk'
import type { Profile } from '../profiles/profile.ts'
import type { ReleaseSource } from './prepare.ts'

/** What a server offers to replace this program with: whether it is what its makers signed is for others to decide. */
export function releaseSource({ server, token }: Profile, signal: AbortSignal): ReleaseSource {
  const { api } = connect({ server, token })
  return {
    release: () => api.call(clients.release, {}, { signal }),
    async package(type, from) {
      const { url } = await api.call(clients.packageTicket, { body: { type } }, { signal })
      return fetch(new URL(url, server), { headers: from === 0 ? {} : { range: `bytes=${from}-` }, signal })
    },
  }
}
