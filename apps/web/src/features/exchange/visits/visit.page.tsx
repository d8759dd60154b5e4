import { useEffect, useLayoutEffect } from 'react'
import { lazyPart } from '../../../lib/lazy.tsx'
import { useStore } from '../../../lib/store.ts'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Waiting } from '../../../ui/waiting.tsx'
import { useTabTitle } from '../../foundation/site/index.ts'
import { ExpiredVisit } from './expired-visit.tsx'
import { useVisit } from './use-visit.ts'
import type { Visit } from './visit.ts'
import { VisitCode } from './visit-code.tsx'
import { diskPart } from './visit-disk.part.ts'
import { VisitLogin } from './visit-login.tsx'
import { VisitSignIn } from './visit-sign-in.tsx'

const VisitDisk = lazyPart(diskPart, (module) => module.VisitDisk, <Waiting />)

/** Loading, password, files or the end of a link. */
export function VisitPage({ visit }: { readonly visit: Visit }) {
  const texts = useTexts()
  const { view, logIn } = useVisit(visit)
  // What it takes to show files comes while the password is typed.
  const hasTexts = useTextBundle('inside')
  useTabTitle(view.view === 'disk' ? view.info.title : texts('share.title'))
  useEffect(() => diskPart.prefetch(), [])
  const hasDisk = useStore(diskPart.state).module !== undefined && hasTexts
  const isDrawn = view.view === 'disk' ? hasDisk : view.view !== 'loading' || view.isOffline
  useLayoutEffect(() => {
    // What the server drew goes in the same frame in which the page shows it, or something else.
    if (isDrawn) document.querySelector('#first')?.remove()
  }, [isDrawn])
  // An error takes the place of all of this.
  useLayoutEffect(() => () => document.querySelector('#first')?.remove(), [])
  switch (view.view) {
    case 'loading':
      return <Waiting isOffline={view.isOffline} />
    case 'login':
      return <VisitLogin onSubmit={(password) => logIn({ password })} />
    case 'sign-in':
      return <VisitSignIn />
    case 'code':
      return <VisitCode visit={visit} email={view.email} password={view.password} onSubmit={logIn} />
    case 'disk':
      return hasTexts ? <VisitDisk visit={visit} info={view.info} /> : <Waiting />
    case 'expired':
      return <ExpiredVisit reason={view.reason} />
  }
}
