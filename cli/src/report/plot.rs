//! Line plots as SVG.

use plotters::prelude::*;

/// A line of a plot, with an interval about each point where there is one.
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
}

/// A point and the ends of its interval.
#[derive(Clone, Copy)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub interval: Option<[f64; 2]>,
}

impl Series {
    /// A line without intervals.
    pub fn plain(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        let point = |(x, y)| Point {
            x,
            y,
            interval: None,
        };
        Series {
            name: name.to_owned(),
            points: points.into_iter().map(point).collect(),
        }
    }
}

const SIZE: (u32, u32) = (560, 300);
/// Colours that people who do not see red and green apart tell apart (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// A plot of all series that have points; `None` if none has.
pub fn plot(title: &str, x_title: &str, series: &[Series]) -> Option<String> {
    let all = || series.iter().flat_map(|series| &series.points);
    let finite = all().filter(|point| point.y.is_finite());
    let bounds = finite.flat_map(|point| {
        let [low, high] = point.interval.unwrap_or([point.y; 2]);
        [low, high, point.y]
    });
    let (low, high) = bounds.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| {
        (low.min(y), high.max(y))
    });
    let first = all().map(|point| point.x).fold(f64::INFINITY, f64::min);
    let last = all().map(|point| point.x).fold(f64::NEG_INFINITY, f64::max);
    if !(low.is_finite() && high.is_finite() && first.is_finite()) {
        return None;
    }
    let slack = if high > low { 0.05 * (high - low) } else { 0.5 };
    let mut svg = String::new();
    draw(
        &mut svg,
        title,
        x_title,
        series,
        (first, last.max(first + 1.0)),
        (low - slack, high + slack),
    )
    // Writing into memory does not fail.
    .ok()?;
    Some(svg)
}

fn draw(
    svg: &mut String,
    title: &str,
    x_title: &str,
    series: &[Series],
    (first, last): (f64, f64),
    (low, high): (f64, f64),
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 16))
        .margin(8)
        .margin_right(20)
        .x_label_area_size(34)
        .y_label_area_size(54)
        .build_cartesian_2d(first..last, low..high)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .x_desc(x_title)
        .x_labels(8)
        // Rounds and checkpoints.
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_labels(6)
        .draw()?;
    for (series, colour) in series.iter().zip(COLOURS.iter().cycle()) {
        let finite = series.points.iter().filter(|point| point.y.is_finite());
        for point in finite.clone() {
            if let Some([low, high]) = point.interval {
                let ends = vec![(point.x, low), (point.x, high)];
                chart.draw_series(LineSeries::new(ends, colour.mix(0.5)))?;
            }
        }
        let line = finite.clone().map(|point| (point.x, point.y));
        chart
            .draw_series(LineSeries::new(line.clone(), colour.stroke_width(2)))?
            .label(&series.name)
            .legend(|(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        if series.points.len() <= 40 {
            chart.draw_series(line.map(|point| Circle::new(point, 2, colour.filled())))?;
        }
    }
    chart
        .configure_series_labels()
        .background_style(WHITE.mix(0.8))
        .border_style(RGBColor(225, 225, 225))
        .draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_names_its_lines_and_nothing_makes_none() {
        let lines = [
            Series::plain("up", [(0.0, 1.0), (1.0, 2.0)]),
            Series::plain("flat", [(0.0, 1.5), (1.0, f64::INFINITY)]),
        ];
        let svg = plot("Two lines", "round", &lines).unwrap();
        for part in ["<svg", "Two lines", "round", "up", "flat", "</svg>"] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(plot("None", "round", &[]), None);
        assert_eq!(plot("None", "round", &[Series::plain("empty", [])]), None);
        // One point, and one value only.
        assert!(plot("One", "round", &[Series::plain("a", [(3.0, 0.0)])]).is_some());
    }
}
