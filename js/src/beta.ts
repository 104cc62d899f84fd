// The incomplete beta function and its inverse, which intervals of proportions are made of.

const LANCZOS = [676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7];

function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
  let sum = 0.9999999999998099;
  LANCZOS.forEach((c, i) => (sum += c / (x + i)));
  const t = x + 6.5;
  return 0.9189385332046727 + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** How the logarithm of Gamma(a) departs from Stirling's first terms: sums of large ones cancel otherwise. */
function stirling(a: number): number {
  const b = 1 / (a * a);
  return (1 / 12 - b * (1 / 360 - b * (1 / 1260 - b / 1680))) / a;
}

function logBeta(a: number, b: number): number {
  const [p, q] = a < b ? [a, b] : [b, a];
  if (p < 12) {
    if (q < 1e4) return logGamma(p) + logGamma(q) - logGamma(p + q);
    // Gamma(q) / Gamma(p + q) for large q.
    return logGamma(p) + p - p * Math.log(p + q) - (q - 0.5) * Math.log1p(p / q) + stirling(q) - stirling(p + q);
  }
  return 0.9189385332046727 - 0.5 * Math.log(q) + (p - 0.5) * Math.log(p / (p + q)) - q * Math.log1p(p / q) + stirling(p) + stirling(q) - stirling(p + q);
}

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
  let out = d;
  for (let m = 1; m < 20_000; m++) {
    for (const step of [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))]) {
      d = 1 + step * d;
      d = 1 / (Math.abs(d) < tiny ? tiny : d);
      c = 1 + step / c;
      if (Math.abs(c) < tiny) c = tiny;
      out *= d * c;
    }
    if (Math.abs(d * c - 1) < 1e-13) break;
  }
  return out;
}

/** The distribution function of the beta distribution. */
function beta(x: number, a: number, b: number, log: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - log);
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** The quantile of the beta distribution, by Newton's steps inside a bracket. */
export function betaQuantile(p: number, a: number, b: number): number {
  const log = logBeta(a, b);
  let [low, high] = [0, 1];
  const mean = a / (a + b);
  const spread = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
  let x = Math.min(1 - 1e-12, Math.max(1e-12, mean + (p < 0.5 ? -1.8 : 1.8) * spread));
  if (x <= 1e-12 || x >= 1 - 1e-12) x = mean / 2;
  for (let i = 0; i < 100; i++) {
    const f = beta(x, a, b, log) - p;
    if (f > 0) high = x;
    else low = x;
    const slope = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - log);
    let next = x - f / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (Math.abs(next - x) < 1e-11 * next || high - low < 1e-15) return next;
    x = next;
  }
  return x;
}
