import { useEffect } from 'react'
import { useStore } from '../../../lib/store.ts'
import { useTexts } from '../../../lib/texts.tsx'
import type { UploadEngine } from './upload-engine.ts'
import { share } from './upload-views.ts'

/** Progress in the title of the tab, and a question before it is closed while something is under way. */
export function useTabProgress(engine: UploadEngine, title: string): void {
  const view = useStore(engine.view)
  const texts = useTexts()
  const percent = view.isActive ? Math.floor(share(view) * 100) : undefined
  useEffect(() => {
    document.title = percent === undefined ? title : texts('uploads.tab-title', { percent, title })
  }, [percent, title, texts])
  const asks = view.isActive || view.isPaused
  useEffect(() => {
    if (!asks) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [asks])
}
