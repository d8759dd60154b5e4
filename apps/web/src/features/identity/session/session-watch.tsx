import { LIMITS } from '@godwit/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { formatDuration } from '../../../lib/formats.ts'
import { refreshWhenDue } from '../../../lib/refresh.ts'
import { useServices } from '../../../lib/services.tsx'
import { readStored, writeStored } from '../../../lib/storage.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { logOut } from '../auth/index.ts'

/** Last activity in any tab, Unix milliseconds: who works in one tab is not logged out by another. */
const ACTIVE_KEY = 'godwit.active'
const NOTE_MS = 5_000
const TICK_MS = 1_000

export interface SessionWatchProps {
  /** Whether something runs that must not be cut off, such as uploads: it counts as activity. */
  readonly isWorking: () => boolean
  /** The server said that the session is over. */
  readonly isEnded: boolean
}

/** Idle logout with its warning, the refresh of the tokens, and the dialog when the server ends the session. */
export function SessionWatch({ isWorking, isEnded }: SessionWatchProps) {
  const idle = useIdle(isWorking)
  const texts = useTexts()
  const { session } = useServices()
  const stay = useRef<HTMLButtonElement>(null)
  if (isEnded) {
    return (
      <Confirm
        title={texts('ended.title')}
        text={texts('ended.text')}
        foot={
          <Button kind="solid" onClick={() => session.end('ended-by-server')}>
            {texts('ended.sign-in')}
          </Button>
        }
      />
    )
  }
  if (idle.left === undefined) return null
  return (
    <Confirm
      title={texts('idle.title')}
      text={texts('idle.text', { time: formatDuration(idle.left / 1000, texts.locale) })}
      onClose={idle.stay}
      initialFocus={stay}
      foot={
        <>
          <Button onClick={idle.logOut}>{texts('account.logout')}</Button>
          <Button ref={stay} kind="solid" onClick={idle.stay}>
            {texts('idle.stay')}
          </Button>
        </>
      }
    />
  )
}

interface Idle {
  /** Milliseconds until the logout, once the warning is due. */
  readonly left: number | undefined
  stay(): void
  logOut(): void
}

function useIdle(isWorking: () => boolean): Idle {
  const { api, session, clock } = useServices()
  const [left, setLeft] = useState<number>()
  const isWarning = left !== undefined
  useEffect(() => {
    let notedAt = 0
    const note = (): void => {
      const now = clock.now()
      if (now - notedAt < NOTE_MS) return
      notedAt = now
      writeStored(ACTIVE_KEY, String(now))
    }
    // Once the warning stands, only an answer to it counts: a cat on the keyboard does not keep a session alive unseen.
    if (isWarning) return
    note()
    const events = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const
    for (const event of events) window.addEventListener(event, note, { passive: true })
    return () => {
      for (const event of events) window.removeEventListener(event, note)
    }
  }, [clock, isWarning])
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined
    const check = (): void => {
      const now = clock.now()
      if (isWorking()) writeStored(ACTIVE_KEY, String(now))
      const remaining = LIMITS.idleLogoutMs - (now - Number(readStored(ACTIVE_KEY) ?? now))
      if (remaining <= 0) return logOut(api, session, 'idle')
      setLeft(remaining <= LIMITS.idleWarningMs ? remaining : undefined)
      const untilWarning = remaining - LIMITS.idleWarningMs
      clearTimeout(due)
      // The next look would be too late for a warning of two whole minutes.
      if (untilWarning > 0 && untilWarning < LIMITS.sessionCheckMs) due = setTimeout(check, untilWarning)
    }
    const refresh = (): void => {
      check()
      void refreshWhenDue({ api, session, clock })
    }
    refresh()
    const minute = setInterval(refresh, LIMITS.sessionCheckMs)
    const second = isWarning ? setInterval(check, TICK_MS) : undefined
    return () => {
      clearTimeout(due)
      clearInterval(minute)
      clearInterval(second)
    }
  }, [api, session, clock, isWorking, isWarning])
  return {
    left,
    stay() {
      writeStored(ACTIVE_KEY, String(clock.now()))
      setLeft(undefined)
    },
    logOut: () => logOut(api, session, 'logged-out'),
  }
}
