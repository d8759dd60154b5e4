import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Hidden } from '../../../ui/hidden.tsx'
import type { UploadsView } from './upload-views.ts'
import { useAwake } from './use-awake.ts'
import { useFinishNotice } from './use-finish-notice.ts'
import { useTabIcon } from './use-tab-icon.ts'

/** What goes along with uploads beside their rows: announces, politely, when a row passes a quarter and when it ends; never every per cent. */
export function Announcer({ view }: { readonly view: UploadsView }) {
  const texts = useTexts()
  const announced = useRef(new Map<number, number>())
  const [said, say] = useState('')
  useAwake(view.isActive)
  useTabIcon(view)
  useFinishNotice(view)
  useEffect(() => {
    for (const { id, name, state, sent, bytes } of view.jobs) {
      const quarter = state === 'completed' ? 4 : state === 'failed' ? 5 : Math.floor((sent / Math.max(1, bytes)) * 4)
      const before = announced.current.get(id) ?? 0
      if (quarter <= before) continue
      announced.current.set(id, quarter)
      if (quarter === 5) say(texts('uploads.announce-failed', { name }))
      else if (state === 'completed') say(texts('uploads.announce-done', { name }))
      else if (quarter < 4) say(texts('uploads.announce', { name, percent: quarter * 25 }))
    }
  }, [view, texts])
  return <Hidden live>{said}</Hidden>
}
