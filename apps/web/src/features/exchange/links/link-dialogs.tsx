import type { ComponentType } from 'react'
import { useMemo, useState } from 'react'
import { lazyModule, lazyWindow } from '../../../lib/lazy.tsx'
import type { LinkTarget } from '../../content/files/index.ts'
import type { LinkDialogProps } from './link.dialog.tsx'

const Dialog = lazyWindow(
  lazyModule(() => import('./link.dialog.tsx')),
  (module): ComponentType<LinkDialogProps> => module.LinkDialog,
)

/** Which link is being made; the file pages ask for one, and know nothing of links. */
export function useLinkDialogs() {
  const [target, setTarget] = useState<LinkTarget>()
  return useMemo(() => ({ target, makeLink: setTarget, close: () => setTarget(undefined) }), [target])
}

type OpenDialogs = Pick<ReturnType<typeof useLinkDialogs>, 'target' | 'close'>

export function LinkDialogs({ target, close }: OpenDialogs) {
  return target === undefined ? null : <Dialog subject={{ kind: 'new', target }} onClose={close} />
}
