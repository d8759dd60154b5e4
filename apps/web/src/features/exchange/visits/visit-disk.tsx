import type { LinkInfo } from '@godwit/contract'
import { SHARE_URL_TYPE } from '@godwit/contract/exchange/link-states'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyModule, lazyPart } from '../../../lib/lazy.tsx'
import { isTransient } from '../../../lib/http.ts'
import { Waiting } from '../../../ui/waiting.tsx'
import { SharedFiles } from './shared-files.tsx'
import type { Visit } from './visit.ts'
import { VisitShell } from './visit-shell.tsx'

const sealed = lazyModule(() => import('./sealed-visit.tsx'))
const SealedShare = lazyPart(sealed, (module) => module.SealedShare, <Waiting />)
const SealedInvite = lazyPart(sealed, (module) => module.SealedInvite, <Waiting />)

const InvitePart = lazyPart(
  lazyModule(() => import('./invite.tsx')),
  (module) => module.Invite,
  <Waiting />,
)

export interface VisitDiskProps {
  readonly visit: Visit
  readonly info: LinkInfo
}

/** What a visitor is here for: files to take, or a place to bring them. */
export function VisitDisk({ visit, info }: VisitDiskProps) {
  const [client] = useState(
    () =>
      new QueryClient({ defaultOptions: { queries: { retry: (count, error) => count < 3 && isTransient(error) } } }),
  )
  const isInvite = info.shareUrlType === SHARE_URL_TYPE.upload
  const isSealed = info.sealedBy !== ''
  const Share = isSealed ? SealedShare : SharedFiles
  const Bring = isSealed ? SealedInvite : InvitePart
  return (
    <QueryClientProvider client={client}>
      <VisitShell info={info}>
        {isInvite ? <Bring visit={visit} info={info} /> : <Share visit={visit} info={info} />}
      </VisitShell>
    </QueryClientProvider>
  )
}
