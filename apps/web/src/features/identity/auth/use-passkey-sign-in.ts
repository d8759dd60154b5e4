import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { loadPart } from '../../../lib/load-part.ts'
import { useServices } from '../../../lib/services.tsx'
import { canHavePasskeys } from './passkey-support.ts'

const load = () => loadPart(() => import('./passkey-sign-in.ts'))
/** Passkeys offered among the names to fill in wait until the page is drawn. */
const OFFER_DELAY_MS = 800

const neverChanges = () => () => undefined

export interface PasskeySignIn {
  /** False in a browser or at an address that cannot have passkeys. */
  readonly isOffered: boolean
  readonly isBusy: boolean
  readonly failure: unknown
  readonly start: () => void
}

/** Sign-in with a passkey: by the button, or chosen from what the browser offers to fill in as the account. */
export function usePasskeySignIn(): PasskeySignIn {
  const { api, session, clock } = useServices()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  // What the server draws has the choice, marked, for the browsers that can.
  const isOffered = useSyncExternalStore(neverChanges, canHavePasskeys, () => true)
  useEffect(() => {
    if (!isOffered) return
    const end = new AbortController()
    const timer = setTimeout(() => {
      load()
        .then(({ offerPasskeys }) => offerPasskeys({ api, session, clock }, end.signal))
        // Nobody asked for it; the button tries again.
        .catch(() => undefined)
    }, OFFER_DELAY_MS)
    return () => {
      clearTimeout(timer)
      end.abort()
    }
  }, [isOffered, api, session, clock])
  const start = useCallback(() => {
    setBusy(true)
    setFailure(undefined)
    load()
      .then(({ signInWithPasskey }) => signInWithPasskey({ api, session, clock }))
      .catch(setFailure)
      .finally(() => setBusy(false))
  }, [api, session, clock])
  return { isOffered, isBusy, failure, start }
}
