import { useEffect } from 'react'
import { share, type UploadsView } from './upload-views.ts'

/** Progress in the icon of the tab. */
export function useTabIcon(view: UploadsView): void {
  const percent = view.isActive ? Math.floor(share(view) * 100) : undefined
  useEffect(() => {
    drawIcon(percent)
  }, [percent])
  useEffect(() => () => drawIcon(undefined), [])
}

const SIZE = 64

/** The tab's icon with a ring around it that closes; undefined brings the plain one back. */
function drawIcon(percent: number | undefined): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link === null) return
  // The plain icon may be the installation's own.
  const plain = (link.dataset['plain'] ??= link.href)
  const pen = percent === undefined ? null : ringPen()
  if (percent === undefined || pen === null) {
    link.href = plain
    return
  }
  const colour = getComputedStyle(document.documentElement).getPropertyValue('--brand-light').trim()
  const ring = (share: number, style: string): void => {
    pen.beginPath()
    pen.strokeStyle = style
    pen.arc(SIZE / 2, SIZE / 2, SIZE / 2 - 6, -Math.PI / 2, -Math.PI / 2 + share * 2 * Math.PI)
    pen.stroke()
  }
  pen.clearRect(0, 0, SIZE, SIZE)
  ring(1, '#b3b3b3')
  ring(percent / 100, colour)
  link.href = pen.canvas.toDataURL('image/png')
}

function ringPen(): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas')
  canvas.width = SIZE
  canvas.height = SIZE
  const pen = canvas.getContext('2d')
  if (pen !== null) pen.lineWidth = 10
  return pen
}
