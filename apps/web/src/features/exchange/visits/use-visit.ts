import type { LinkInfo } from '@godwit/contract'
import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { visits } from '@godwit/contract/table/visits'
import { useCallback, useEffect, useState } from 'react'
import { isFailure, isTransient } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { useStore } from '../../../lib/store.ts'
import { NoDeviceKey } from './device-key.ts'
import { type BeginOptions, beginVisit, isEnd, type Visit } from './visit.ts'

/** Why a link does not open here. */
export type Closed = 'ended' | 'other-device' | 'no-key' | 'not-for-you'

export type VisitView =
  | { readonly view: 'loading'; readonly isOffline: boolean }
  | { readonly view: 'login' }
  /** For people of the site, and none is signed in here. */
  | { readonly view: 'sign-in' }
  /** A code is mailed to whom the link was mailed to. */
  | { readonly view: 'code'; readonly email: string; readonly password: string | undefined }
  | { readonly view: 'disk'; readonly info: LinkInfo }
  | { readonly view: 'expired'; readonly reason: Closed }

const RETRY_MS = 2_000

/** Where a visit stands. A stored token leads straight to the files; without one the link is asked what it wants. */
export function useVisit(visit: Visit) {
  const { clock } = useServices()
  const { session, api, hasEnded } = visit
  const token = useStore(session)?.token
  // Whoever signs in meanwhile in another tab is asked for nothing more here.
  const isSignedIn = useStore(visit.account) !== undefined
  const isOver = useStore(hasEnded)
  const [shown, show] = useState<VisitView>(() => firstViewOf(visit))
  const [failed, setFailed] = useState<{ readonly error: unknown }>()
  const begin = useCallback((options: Shown) => beginVisit(visit, { ...options, now: clock.now() }), [visit, clock])
  useEffect(() => {
    let isGone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = (view: VisitView): void => {
      if (!isGone) show(view)
    }
    const open = async (): Promise<void> => {
      try {
        if (token !== undefined) next({ view: 'disk', info: await api.call(visits.info, { query: {} }) })
        else {
          const begun = await begin({})
          if (begun.needs === 'sign-in') next({ view: 'sign-in' })
          if (begun.needs === 'password') next({ view: 'login' })
          if (begun.needs === 'code') next({ view: 'code', email: begun.email, password: undefined })
        }
      } catch (error) {
        const reason = closedBy(error)
        if (reason !== undefined) return next({ view: 'expired', reason })
        // The token is spent: the session says so by itself, and the link is asked anew.
        if (isFailure(error, 'TOKEN_INVALID') || isGone) return
        if (!isTransient(error)) return setFailed({ error })
        next({ view: 'loading', isOffline: true })
        timer = setTimeout(() => void open(), RETRY_MS)
      }
    }
    void open()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [token, api, begin, isSignedIn])
  const logIn = useCallback(
    async (shownBy: Shown): Promise<void> => {
      try {
        const begun = await begin(shownBy)
        if (begun.needs === 'code') show({ view: 'code', email: begun.email, password: shownBy.password })
      } catch (error) {
        const reason = closedBy(error)
        if (reason === undefined) throw error
        show({ view: 'expired', reason })
      }
    },
    [begin],
  )
  // Nothing a visitor can do about: the nearest boundary says so.
  if (failed !== undefined) throw failed.error
  const view: VisitView = isOver ? { view: 'expired', reason: 'ended' } : shown
  return { view, logIn }
}

/** What a link shares stands there while its visit begins; whoever brings something needs the visit first. */
function firstViewOf({ looked }: Visit): VisitView {
  const isShown = looked?.shareUrlType === SHARE_URL_TYPE.download && looked.sealedBy === ''
  return isShown ? { view: 'disk', info: looked } : { view: 'loading', isOffline: false }
}

type Shown = Omit<BeginOptions, 'now'>

function closedBy(error: unknown): Closed | undefined {
  if (error instanceof NoDeviceKey) return 'no-key'
  if (isFailure(error, 'LINK_DEVICE_MISMATCH')) return 'other-device'
  if (isFailure(error, 'LINK_NOT_FOR_YOU')) return 'not-for-you'
  return isEnd(error) ? 'ended' : undefined
}
