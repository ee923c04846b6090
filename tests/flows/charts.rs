//! Charts in the real sandbox: interactive ones get their picture, and every picture fits a page.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test ends where its own set-up fails")]

use assay_sandbox::{Manifest, Policy, StepOutcome, StepStatus};
use assay_tests::{Bench, docker};

async fn bench() -> Option<Bench> {
    let runtime = docker().await?;
    Some(Bench::open(&runtime, &Manifest::default(), &Policy::default()).await.unwrap())
}

fn paths(outcome: &StepOutcome) -> Vec<&str> {
    outcome.changed.iter().map(|change| change.path.as_str()).collect()
}

/// Fetches a file of `output/`; `None` when it is not there.
async fn fetched(bench: &mut Bench, path: &str) -> Option<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("file");
    bench.session.fetch(path, &to, 1 << 24).await.ok()?;
    Some(std::fs::read(to).unwrap())
}

/// Width and height of a PNG, from its header.
fn size_of(picture: &[u8]) -> (u32, u32) {
    assert!(picture.starts_with(b"\x89PNG"));
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[tokio::test]
async fn an_interactive_chart_gets_its_picture_once() {
    let Some(mut bench) = bench().await else { return };
    let drawn = bench
        .python(
            "import altair as alt, pandas as pd\n\
             data = pd.DataFrame({'month': ['Jan', 'Feb 北京'], 'kwh': [3, 5]})\n\
             alt.Chart(data).mark_bar().encode(x='month', y='kwh').save('output/charts/use.vl.json')",
        )
        .await
        .unwrap();
    assert_eq!(drawn.status, StepStatus::Ok, "{:?}", drawn.error);
    assert_eq!(paths(&drawn), ["output/charts/use.png", "output/charts/use.vl.json"]);
    assert_eq!(
        drawn.stdout.head,
        "Chart saved: output/charts/use.png (interactive: output/charts/use.vl.json)\n"
    );
    let picture = fetched(&mut bench, "output/charts/use.png").await.unwrap();
    let (width, height) = size_of(&picture);
    assert!((1280..1600).contains(&width) && (720..1000).contains(&height), "{width} x {height}");
    let spec = String::from_utf8(fetched(&mut bench, "output/charts/use.vl.json").await.unwrap()).unwrap();
    assert!(spec.contains("Noto Sans") && spec.contains("#0072B2"), "it has the look of the others");

    let still = bench.python("print(len(data))").await.unwrap();
    assert_eq!((still.stdout.head.as_str(), paths(&still).len()), ("2\n", 0));
    // A picture that the code makes by itself, after the chart, is left alone.
    let own = bench
        .python(
            "import matplotlib.pyplot as plt\n\
             alt.Chart(data).mark_line().encode(x='month', y='kwh').save('output/charts/use.vl.json')\n\
             plt.plot([1, 2]); plt.savefig('output/charts/use.png')",
        )
        .await
        .unwrap();
    assert_eq!((paths(&own).len(), own.stdout.head.as_str()), (2, ""));
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn an_interactive_chart_that_the_app_could_not_show_is_told_of_and_the_step_goes_on() {
    let Some(mut bench) = bench().await else { return };
    let save = "import json, os\nos.makedirs('output/charts', exist_ok=True)\n\
                def save(**more):\n    spec = {'mark': 'point', 'encoding': {'x': {'field': 'a', 'type': 'quantitative'}}, \
                'data': {'values': [{'a': 1, 'url': 'https://rows.example'}]}} | more\n    \
                with open('output/charts/c.vl.json', 'w') as file: json.dump(spec, file)";
    bench.python(save).await.unwrap();
    for (code, expected) in [
        (
            "save(data={'url': 'https://elsewhere.example/d.csv'})",
            "it would fetch https://elsewhere.example/d.csv",
        ),
        ("save(layer=[{'data': {'url': 'file:///etc/passwd'}}])", "it would fetch file:///etc/passwd"),
        ("save(usermeta='x' * 3_000_000)", "it takes 3.0 MB, and the app shows at most 2 MB"),
        ("save(usermeta=float('nan'))", "it holds NaN, which is no JSON"),
        ("open('output/charts/c.vl.json', 'w').write('[]')", "it is no Vega-Lite chart"),
        ("save(mark='no such mark')", "No picture of output/charts/c.vl.json could be made"),
    ] {
        let outcome = bench.python(code).await.unwrap();
        assert_eq!(outcome.status, StepStatus::Ok, "{code}");
        assert!(outcome.stdout.head.contains(expected), "{code}: {}", outcome.stdout.head);
        assert_eq!(paths(&outcome), ["output/charts/c.vl.json"], "{code}");
        let after = bench.python("1").await.unwrap();
        assert_eq!(after.stdout.head, "1\n", "it is told of once: {code}");
    }
    let large = bench.python("save(width=9000, height=300, background='transparent')").await.unwrap();
    assert_eq!(paths(&large), ["output/charts/c.png", "output/charts/c.vl.json"]);
    let (width, _) = size_of(&fetched(&mut bench, "output/charts/c.png").await.unwrap());
    assert!((3990..=4000).contains(&width), "{width}");
    let ground =
        "import matplotlib.image\nprint(matplotlib.image.imread('output/charts/c.png')[0, 0].tolist())";
    assert_eq!(bench.python(ground).await.unwrap().stdout.head, "[1.0, 1.0, 1.0, 1.0]\n");
    bench.session.close().await.unwrap();
}

#[tokio::test]
async fn a_figure_that_the_code_saves_is_light_and_not_too_large() {
    let Some(mut bench) = bench().await else { return };
    let code = "import matplotlib.pyplot as plt, matplotlib.image as image\n\
                plt.rcParams['savefig.bbox'] = None\ndef saved(colour='white', **options):\n    figure, _ = plt.subplots(figsize=(10, 5), facecolor=colour)\n    \
                figure.savefig('output/c.png', **options)\n    \
                picture = image.imread('output/c.png')\n    print(picture.shape[1], picture[0, 0].tolist())";
    bench.python(code).await.unwrap();
    for (call, expected) in [
        ("saved()", "1440 [1.0, 1.0, 1.0, 1.0]\n"),
        ("saved(dpi=3000)", "4000 [1.0, 1.0, 1.0, 1.0]\n"),
        ("saved(facecolor='none', dpi=100)", "1000 [1.0, 1.0, 1.0, 1.0]\n"),
        ("saved(colour='none', facecolor='auto', dpi=100)", "1000 [1.0, 1.0, 1.0, 1.0]\n"),
        ("saved(transparent=True, dpi=100)", "1000 [1.0, 1.0, 1.0, 0.0]\n"),
    ] {
        assert_eq!(bench.python(call).await.unwrap().stdout.head, expected, "{call}");
    }
    let wrong = bench.python("saved(facecolor='no colour')").await.unwrap().error.unwrap();
    assert!(!wrong.traceback.contains("assay_charts"), "{}", wrong.traceback);
    bench.session.close().await.unwrap();
}
