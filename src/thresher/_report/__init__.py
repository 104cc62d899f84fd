"""One self-contained HTML file: linked curves, areas, findings and the text for a paper."""

from thresher._report.findings import CODES as FINDING_CODES
from thresher._report.page import blank_html, page_html
from thresher._report.write_report import notebook_html, report, report_data

__all__ = ["FINDING_CODES", "blank_html", "notebook_html", "page_html", "report", "report_data"]
