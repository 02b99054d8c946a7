/** Draws series as an SVG: lines over a logarithmic x axis. Pure. */
export type Series = {readonly name: string; readonly points: readonly (readonly [x: number, y: number])[]}

export type PlotOptions = {
  readonly title: string
  readonly x: string
  readonly y: string
  readonly fromZero?: boolean // otherwise the y axis is logarithmic
}

const [width, height, left, right, top, bottom] = [720, 400, 64, 170, 40, 48]
const colours = ['#2f6fb3', '#c8552b', '#3c8c4a', '#8a4fa3', '#b8902a', '#4aa3a3', '#8a8a8a', '#c23b6e']

export function plot(series: readonly Series[], {title, x, y, fromZero = true}: PlotOptions): string {
  const points = series.flatMap(({points}) => points)
  const across = scale(
    points.map(([at]) => at),
    {from: left, to: width - right, isLogarithmic: true},
  )
  const up = scale([...(fromZero ? [0] : []), ...points.map(([, at]) => at)], {
    from: height - bottom,
    to: top,
    isLogarithmic: !fromZero,
  })
  const lines = series.map(({name, points: own}, index) => {
    const colour = colours[index % colours.length] ?? 'black'
    const path = own.map(([px, py]) => `${across.at(px)},${up.at(py)}`).join(' ')
    const dots = own.map(([px, py]) => `<circle cx="${across.at(px)}" cy="${up.at(py)}" r="2.5" fill="${colour}"/>`)
    const place = `x="${width - right + 12}" y="${top + 14 + index * 17}"`
    const legend = `<text ${place} fill="${colour}">${escapeText(name)}</text>`
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.6"/>${dots.join('')}${legend}`
  })
  const xTicks = across.ticks.map(
    tick =>
      `<text x="${across.at(tick)}" y="${height - bottom + 17}" text-anchor="middle">${tickText(tick)}</text>` +
      `<line x1="${across.at(tick)}" x2="${across.at(tick)}" y1="${top}" y2="${height - bottom}" stroke="#eee"/>`,
  )
  const yTicks = up.ticks.map(
    tick =>
      `<text x="${left - 8}" y="${up.at(tick) + 4}" text-anchor="end">${tickText(tick)}</text>` +
      `<line x1="${left}" x2="${width - right}" y1="${up.at(tick)}" y2="${up.at(tick)}" stroke="#eee"/>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escapeText(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    `<text x="${left}" y="22" font-size="15">${escapeText(title)}</text>`,
    ...xTicks,
    ...yTicks,
    `<text x="${(left + width - right) / 2}" y="${height - 10}" text-anchor="middle">${escapeText(x)}</text>`,
    `<text x="14" y="${top - 10}">${escapeText(y)}</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n')
}

type Axis = {readonly from: number; readonly to: number; readonly isLogarithmic: boolean}

function scale(values: readonly number[], {from, to, isLogarithmic}: Axis) {
  const turn = (value: number) => (isLogarithmic ? Math.log10(value) : value)
  const least = isLogarithmic ? Math.floor(turn(Math.min(...values)) * 10) / 10 : Math.min(...values)
  const greatest = turn(Math.max(...values)) + (isLogarithmic ? 0 : Math.max(...values) * 0.05)
  const span = greatest - least || 1
  const at = (value: number) => Math.round((from + ((turn(value) - least) / span) * (to - from)) * 10) / 10
  const ticks = isLogarithmic ? decades(least, greatest) : steps(greatest)
  return {at, ticks}
}

function decades(least: number, greatest: number): number[] {
  const whole = Array.from(
    {length: Math.floor(greatest) - Math.ceil(least) + 1},
    (_, n) => 10 ** (Math.ceil(least) + n),
  )
  return whole.length > 1 ? whole : [10 ** least, 10 ** greatest]
}

function steps(greatest: number): number[] {
  const raw = greatest / 5
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 5, 10].find(factor => factor * power >= raw) ?? 10) * power
  return Array.from({length: Math.floor(greatest / step) + 1}, (_, n) => n * step)
}

function tickText(value: number): string {
  if (value >= 10_000) return value.toExponential(0).replace('e+', 'e')
  return String(Number(value.toPrecision(3)))
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}
