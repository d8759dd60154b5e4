import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { summaryTitle } from './summary-title.ts'
import type { UploadsView } from './upload-views.ts'

/** Says by a notice of the system that uploads have ended, when nobody looks at the page and the person asked for it. */
export function useFinishNotice(view: UploadsView): void {
  const texts = useTexts()
  const wasActive = useRef(false)
  useEffect(() => {
    const hasEnded = wasActive.current && !view.isActive && !view.isPaused && view.jobs.length > 0
    wasActive.current = view.isActive
    if (!hasEnded || document.visibilityState === 'visible' || permission() !== 'granted') return
    try {
      const notice = new Notification(summaryTitle(view, texts), { tag: 'uploads' })
      notice.addEventListener('click', () => window.focus())
    } catch {
      // Phones take notices from service workers alone; the title of the tab says it as well.
    }
  }, [view, texts])
}

/** @returns what asks the browser for it; undefined once the person has decided, and where there are none */
export function useNoticeRequest(): (() => void) | undefined {
  const [state, setState] = useState(permission)
  if (state !== 'default') return undefined
  return () => void Notification.requestPermission().then(setState)
}

function permission(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied'
}
