import type { PDFDocumentProxy } from 'pdfjs-dist'
import { LockKeyhole } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import { StatePanel } from '../../../../ui/state-panel.tsx'
import { Opening } from '../opening.tsx'
import type { ViewProps } from '../view-props.ts'
import { openDocument } from './open-document.ts'
import { PdfPage } from './pdf-page.tsx'
import styles from './pdf.module.css'

const MAX_WIDTH = 960
const MARGIN = 16

interface Opened {
  readonly document: PDFDocumentProxy
  readonly shape: number
}

/** A document, page below page. */
export function PdfView({ file, onBroken }: ViewProps) {
  const texts = useTexts()
  const [opened, setOpened] = useState<Opened | 'locked'>()
  const scrollRef = useRef<HTMLDivElement>(null)
  const width = usePageWidth(scrollRef)
  const broken = useRef(onBroken)
  broken.current = onBroken
  const [report] = useState(() => (error?: unknown) => broken.current(error))
  useEffect(() => {
    const { document, close } = openDocument(file.url)
    let isClosed = false
    const open = async (): Promise<void> => {
      const page = await (await document).getPage(1)
      const { width: wide, height } = page.getViewport({ scale: 1 })
      if (!isClosed) setOpened({ document: await document, shape: height / wide })
    }
    open().catch((error: unknown) => {
      if (isClosed) return
      if (isPasswordWanted(error)) setOpened('locked')
      else report()
    })
    return () => {
      isClosed = true
      close()
    }
  }, [file.url, report])
  if (opened === 'locked') {
    return (
      <StatePanel
        icon={<LockKeyhole size={32} />}
        title={texts('preview.none.title')}
        text={texts('preview.pdf.password')}
      />
    )
  }
  return (
    <div
      ref={scrollRef}
      className={styles['scroll']}
      role="region"
      aria-label={texts('preview.content', { name: file.name })}
      aria-busy={opened === undefined}
      // Keys scroll what has the focus.
      tabIndex={0}
    >
      {/* The server may have to make the document first. */}
      {opened === undefined && <Opening name={file.name} />}
      {opened !== undefined &&
        Array.from({ length: opened.document.numPages }, (_, at) => (
          <PdfPage key={at + 1} {...opened} number={at + 1} width={width} onBroken={report} />
        ))}
    </div>
  )
}

function isPasswordWanted(error: unknown): boolean {
  return error instanceof Error && error.name === 'PasswordException'
}

/** The width of a page in CSS pixels; 0 before the first layout. */
function usePageWidth(ref: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const box = ref.current
    if (box === null) return
    const measure = (): void => setWidth(Math.max(0, Math.min(MAX_WIDTH, box.clientWidth - 2 * MARGIN)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [ref])
  return width
}
