import { routes } from '@godwit/contract/table'
import { useEffect, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import { type EntryPageProps, signedIn, takeDeparted } from '../auth/index.ts'
import { EntryCard } from '../entry-card/index.ts'

export interface SignOnPageProps extends EntryPageProps {
  /** Somebody is signed in. */
  readonly onDone: () => void
}

/** Where an identity provider leads back to: finishes the sign-in, or says why not and shows the way back. */
export function SignOnPage({ onGo, onDone }: SignOnPageProps) {
  const texts = useTexts()
  const { api, session, clock } = useServices()
  const [failure, setFailure] = useState<unknown>()
  // What came back counts once and is gone from the address before anything else is asked.
  const [arrived] = useState(() => ({ answer: location.search, departed: takeDeparted() }))
  const isSent = useRef(false)
  useEffect(() => {
    // The answer cannot be sent again.
    if (isSent.current) return
    isSent.current = true
    history.replaceState(null, '', location.pathname)
    const body = { key: arrived.departed?.key ?? '', answer: arrived.answer }
    api
      .call(routes.signOn.finish, { body }, { token: null })
      .then((reply) => {
        session.set(signedIn(reply, clock))
        const place = arrived.departed?.place ?? ''
        // The console is another page; the portal keeps the place by itself.
        if (place === '/admin' || place.startsWith('/admin/')) location.replace(place)
        else onDone()
      })
      .catch(setFailure)
  }, [api, session, clock, arrived, onDone])
  if (failure === undefined) return <Waiting />
  return (
    <EntryCard title={texts('sign-on.failed')} onGo={onGo}>
      <FailureNotice failure={failure} />
    </EntryCard>
  )
}
