import { LIMITS } from '@godwit/contract/limits'
import { useEffect } from 'react'
import type { FileOperations } from '../../../lib/file-operations.ts'

/**
 * Keeps the preview log: a sign every half minute while the page is looked at, and the end when the preview is closed. A report that
 * is lost costs the log no more than that half minute.
 */
export function useViewReports(operate: FileOperations, viewId: string | undefined): void {
  useEffect(() => {
    if (viewId === undefined || viewId === '') return
    const report = (isOver: boolean): void => void operate('viewed', { viewId, isOver }).catch(() => undefined)
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') report(false)
    }, LIMITS.previewReportMs)
    return () => {
      clearInterval(timer)
      report(true)
    }
  }, [operate, viewId])
}
