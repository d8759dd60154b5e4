import type { SpaceInfo } from '@godwit/contract'
import { type ReactNode, useState } from 'react'
import { useClient } from '../../../features/content/files/index.ts'
import { spaceName, switchStep, useSpace } from '../../../features/content/spaces/index.ts'
import { setClientSpace } from '../../../features/exchange/clients/index.ts'
import { useAccount } from '../../../features/identity/auth/index.ts'
import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { BusyOverlay } from '../../../ui/busy-overlay.tsx'

const OldClient = lazyWindow(
  lazyModule(() => import('./old-client.dialog.tsx')),
  (module) => module.OldClientDialog,
)

interface Pending {
  readonly space: SpaceInfo
  readonly kind: 'waiting' | 'old-client'
}

/**
 * Changes the space. A connected desktop client switches first, while an overlay covers the page; a client too old for
 * several spaces has to be updated.
 * @returns what to call with the space that was picked, and what to show meanwhile
 */
export function useSpaceSwitch(): { readonly pick: (space: SpaceInfo) => void; readonly shown: ReactNode } {
  const texts = useTexts()
  const { api, messages } = useServices()
  const { spaceId, show, isChanging } = useSpace()
  const client = useClient()
  const [pending, setPending] = useState<Pending>()
  const askClient = async (space: SpaceInfo): Promise<void> => {
    setPending({ space, kind: 'waiting' })
    try {
      if (await setClientSpace(api, space.id)) show(space.id)
      else messages.notify('error', texts('spaces.refused', { name: spaceName(space, texts) }))
    } catch (error) {
      messages.fail(error, texts)
    } finally {
      setPending(undefined)
    }
  }
  const pick = (space: SpaceInfo): void => {
    setPending(undefined)
    if (space.id === spaceId) return
    const present = client === undefined || client.state === 'none' ? undefined : client
    switch (switchStep({ spaceId: space.id, client: present })) {
      case 'show':
        return show(space.id)
      case 'ask-client':
        return void askClient(space)
      case 'refuse-old-client':
        return setPending({ space, kind: 'old-client' })
    }
  }
  const target = useAccount().user.spaceInfo.find(({ id }) => id === spaceId)
  const waitingFor = pending?.kind === 'waiting' ? pending.space : isChanging ? target : undefined
  return {
    pick,
    shown: (
      <>
        {waitingFor !== undefined && (
          <BusyOverlay text={texts('spaces.switching', { name: spaceName(waitingFor, texts) })} />
        )}
        {pending?.kind === 'old-client' && (
          <OldClient space={pending.space} onPick={pick} onClose={() => setPending(undefined)} />
        )}
      </>
    ),
  }
}
