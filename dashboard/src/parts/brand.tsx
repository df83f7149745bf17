import { Link } from 'wouter';

export function Brand() {
  return (
    <p className="brand">
      <Link href="/" className="brand-link">
        <img src="/favicon.svg" alt="" />
        Earshot
      </Link>
    </p>
  );
}
