import type { OperationInput } from '@godwit/contract'
import { LIMITS } from '@godwit/contract/limits'
import { useEffect } from 'react'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { PreviewFile } from './view-props.ts'

/**
 * Asks how a file is shown, which begins a view in the preview log. The answer is waited for even when the preview was closed
 * meanwhile: its view has to be ended. @throws ApiError
 */
export async function beginView(
  operate: FileOperations,
  file: OperationInput<'preview'>,
  closed: AbortSignal,
): Promise<PreviewFile> {
  const shown = await operate('preview', file)
  if (closed.aborted) report(operate, shown.viewId, true)
  return shown
}

/**
 * Keeps the preview log: a sign every half minute while the page is looked at, and the end when the preview or the page is closed. A
 * report that is lost costs the log no more than that half minute.
 */
export function useViewReports(operate: FileOperations, viewId: string | undefined): void {
  useEffect(() => {
    if (viewId === undefined) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') report(operate, viewId, false)
    }, LIMITS.previewReportMs)
    const end = (): void => report(operate, viewId, true)
    addEventListener('pagehide', end)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', end)
      end()
    }
  }, [operate, viewId])
}

/** A file with nothing to look at has no view. */
function report(operate: FileOperations, viewId: string, isOver: boolean): void {
  if (viewId !== '') void operate('viewed', { viewId, isOver }).catch(() => undefined)
}
