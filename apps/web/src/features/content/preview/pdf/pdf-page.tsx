import { type PDFDocumentProxy, type PDFPageProxy, RenderingCancelledException, TextLayer } from 'pdfjs-dist'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../../lib/texts.tsx'
import styles from './pdf.module.css'

/** Pixels of one drawn page: a poster at full sharpness would take gigabytes. */
const MAX_CANVAS_PIXELS = 16_000_000
/** Pages this far from the window are drawn ahead, and given up beyond it. */
const MARGIN = '600px 0px'

export interface PdfPageProps {
  readonly document: PDFDocumentProxy
  readonly number: number
  /** Height by width of the first page: what this one is taken for until it is known. */
  readonly shape: number
  readonly width: number
  readonly onBroken: (error?: unknown) => void
}

/** One page, drawn while it is near the window. Its text lies over it unseen, to be selected and read aloud. */
export function PdfPage({ document, number, shape, width, onBroken }: PdfPageProps) {
  const texts = useTexts()
  const boxRef = useRef<HTMLDivElement>(null)
  const isNear = useNearness(boxRef)
  const [ownShape, setOwnShape] = useState(shape)
  const [scale, setScale] = useState(1)
  useEffect(() => {
    const box = boxRef.current
    if (!isNear || box === null || width === 0) return
    const drawing = new AbortController()
    drawPage(document, number, { box, width, signal: drawing.signal })
      .then((drawn) => {
        setOwnShape(drawn.shape)
        setScale(drawn.scale)
      })
      .catch((error: unknown) => {
        if (!drawing.signal.aborted && !(error instanceof RenderingCancelledException)) onBroken()
      })
    return () => {
      drawing.abort()
      box.replaceChildren()
    }
  }, [document, number, width, isNear, onBroken])
  const style = { width, height: width * ownShape, '--total-scale-factor': scale } as CSSProperties
  return (
    <div
      ref={boxRef}
      className={styles['page']}
      style={style}
      role="group"
      aria-label={texts('preview.pdf.page', { page: number, count: document.numPages })}
      data-page={number}
    />
  )
}

function useNearness(ref: { readonly current: HTMLElement | null }): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const box = ref.current
    if (box === null) return
    const observer = new IntersectionObserver((all) => setNear(all.at(-1)?.isIntersecting ?? false), {
      rootMargin: MARGIN,
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [ref])
  return isNear
}

interface Canvas {
  readonly box: HTMLElement
  /** CSS pixels. */
  readonly width: number
  readonly signal: AbortSignal
}

interface Drawn {
  readonly shape: number
  readonly scale: number
}

async function drawPage(source: PDFDocumentProxy, number: number, { box, width, signal }: Canvas): Promise<Drawn> {
  const page = await source.getPage(number)
  signal.throwIfAborted()
  const natural = page.getViewport({ scale: 1 })
  const shape = natural.height / natural.width
  const scale = width / natural.width
  const sharpness = Math.min(devicePixelRatio, Math.sqrt(MAX_CANVAS_PIXELS / (width * width * shape)))
  const canvas = box.ownerDocument.createElement('canvas')
  const viewport = page.getViewport({ scale: scale * sharpness })
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  const task = page.render({ canvas, viewport })
  signal.addEventListener('abort', () => task.cancel(), { once: true })
  await task.promise
  signal.throwIfAborted()
  box.replaceChildren(canvas)
  await addText(page, { box, scale, signal })
  return { shape, scale }
}

interface TextPlace extends Pick<Canvas, 'box' | 'signal'> {
  readonly scale: number
}

async function addText(page: PDFPageProxy, { box, scale, signal }: TextPlace): Promise<void> {
  const container = box.ownerDocument.createElement('div')
  container.className = styles['text'] ?? ''
  const layer = new TextLayer({
    textContentSource: page.streamTextContent(),
    container,
    viewport: page.getViewport({ scale }),
  })
  signal.addEventListener('abort', () => layer.cancel(), { once: true })
  box.append(container)
  await layer.render()
}
